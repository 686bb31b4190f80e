/* The parts of a room's page: text, buttons, and fields with what they say below them. Nothing of it
   knows what is asked. */
var Parts = (function () {
  "use strict";
  var lines = 0;

  function make(tag, words, kind) {
    var part = document.createElement(tag);
    if (words) {
      part.appendChild(document.createTextNode(words));
      part.dir = "auto";
    }
    if (kind) { part.className = kind; }
    return part;
  }
  function add(parent) {
    for (var i = 1; i < arguments.length; i += 1) {
      if (arguments[i]) { parent.appendChild(arguments[i]); }
    }
    return parent;
  }
  function empty(part) { while (part.firstChild) { part.removeChild(part.firstChild); } }
  function button(words, act, kind) {
    var made = make("button", words, kind);
    made.type = "button";
    made.onclick = act;
    return made;
  }

  /* What can be given, in a line below its field: there it is seen where thumbs are, above the keys
     of a phone; what was wrong with what was given is said there too. */
  function below(field, words) {
    var line = make("p", words, "quiet");
    lines += 1;
    line.id = "below-" + lines;
    line.setAttribute("role", "alert");
    field.setAttribute("aria-describedby", line.id);
    return { part: line, complain: function (told) {
      line.textContent = told;
      line.className = "stop";
    } };
  }

  /* One of several; its value is a place from 0 on, or -1 where none is chosen. */
  function radios(name, legend, labels, checked, missed) {
    var set = make("fieldset"), all = [], help = below(set, "");
    add(set, make("legend", legend));
    labels.forEach(function (words, i) {
      var line = make("label", "", "option"), dot = make("input");
      dot.type = "radio"; dot.name = name; dot.value = String(i); dot.checked = i === checked;
      all.push(dot);
      line.dir = "auto";  /* the dot stands where the words begin */
      add(set, add(line, dot, add(make("span"), document.createTextNode(words))));
    });
    return { part: add(set, help.part), value: function () {
      for (var i = 0; i < all.length; i += 1) { if (all[i].checked) { return i; } }
      return -1;
    }, complain: function () {
      help.complain(missed);
      all[0].focus();
    } };
  }

  /* A whole number; its value is counted from the lowest on, -1 for any other. */
  function whole(name, words, low, high, told) {
    var set = make("fieldset"), field = make("input"), label = make("label", words, "field");
    var help = below(field, told);
    field.type = "number"; field.id = name; field.min = low; field.max = high;
    field.step = "1"; field.setAttribute("autocomplete", "off"); label.htmlFor = name;
    return { part: add(set, label, field, help.part), value: function () {
      var text = field.value.trim(), n = /^-?\d{1,10}$/.test(text) ? parseInt(text, 10) : NaN;
      return n >= low && n <= high ? n - low : -1;
    }, complain: function () {
      help.complain(told);
      field.focus();
    } };
  }

  return { make: make, add: add, empty: empty, button: button, below: below, radios: radios,
    whole: whole };
}());
