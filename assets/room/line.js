/* The line of a phone to its room: requests that always end, and asking again and again, at once
   when the phone wakes. Nothing of it knows what is said. */
var Line = (function () {
  "use strict";
  var LONGEST = 10000;

  /* `done(status, text)` is called once; status 0 where nothing came, after ten seconds at most:
     old phones have no time limit of their own, and one that slept may never be told. */
  function request(method, path, body, done) {
    var asked = new XMLHttpRequest(), over = false, late;
    function end(status, text) {
      if (over) { return; }
      over = true;
      clearTimeout(late);
      done(status, text);
    }
    late = setTimeout(function () {
      end(0, "");
      asked.abort();
    }, LONGEST);
    asked.open(method, path, true);
    if (body) { asked.setRequestHeader("Content-Type", "application/json"); }
    asked.onload = function () { end(asked.status, asked.responseText); };
    asked.onerror = asked.onabort = function () { end(0, ""); };
    asked.send(body || null);
  }

  /* Ask for a path about every `beat` ms, for as long as the page is there. `heard` is called with
     each answer; where it gives a number, the next is asked for after so many ms. */
  function watch(path, beat, heard) {
    var timer = null, asking = false;
    function ask() {
      if (asking) { return; }
      asking = true;
      clearTimeout(timer);
      request("GET", path, "", function (status, text) {
        asking = false;
        /* Not all phones of a room at once. */
        timer = setTimeout(ask, (heard(status, text) || beat) * (0.8 + 0.4 * Math.random()));
      });
    }
    document.addEventListener("visibilitychange", function () { if (!document.hidden) { ask(); } });
    document.addEventListener("resume", ask);
    window.addEventListener("pageshow", ask);
    window.addEventListener("online", ask);
    ask();
  }

  return { request: request, watch: watch };
}());
