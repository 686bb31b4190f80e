/* The page of a room, for old phones too: no promises, no arrows, nothing from elsewhere. What the
   server says becomes text, never markup. */
(function () {
  "use strict";
  var BEAT = 5000, RETRY = 3000, RARELY = 60000, CODE = /^[2-9A-HJKMNP-Z]{8}$/;
  var root = document.getElementById("room"), status = document.getElementById("status");
  var next = Coins.source(window.crypto || window.msCrypto);
  var room = null, seen = "", memory = {}, code = fromAddress(), shown = "", away = false;
  var proved = "", looking = "", wrong = "";  /* the code that the room knows, is asked for, or not */
  var cards = {}, ends = {}, flying = {}, answered = {};  /* by question and round */

  var make = Parts.make, add = Parts.add, empty = Parts.empty, button = Parts.button;

  function say(key, values) {
    return room.words[key].replace(/\{(\w+)\}/g, function (_, name) { return String(values[name]); });
  }
  function grouped(n) { return String(n).replace(/\B(?=(\d{3})+$)/g, ","); }
  function tell(words) { status.textContent = words; }

  /* What this phone keeps to itself: its sum, and what it sent */

  function place() { return "room:" + location.pathname + ":" + (room.often ? "" : code); }
  function kept() {
    var text = null;
    try { text = window.localStorage.getItem(place()); } catch (_) { text = null; }
    if (text === null) { text = memory[place()]; }
    try { return JSON.parse(text) || { micro: 0, sent: {} }; } catch (_) { return { micro: 0, sent: {} }; }
  }
  function keep(state) {
    var text = JSON.stringify(state);
    memory[place()] = text;
    try { window.localStorage.setItem(place(), text); } catch (_) { return; }
  }
  function forget() {
    memory = {};
    try { window.localStorage.removeItem(place()); } catch (_) { /* there was none */ }
    code = room.often ? "" : code;
    proved = "";
    draw(true);
  }
  function spelled(micro) {
    var thousandths = Math.ceil(micro / 1000), rest = String(1000 + thousandths % 1000).slice(1);
    return Math.floor(thousandths / 1000) + "." + rest;
  }

  /* Codes */

  function tidy(text) { return text.replace(/[\s-]/g, "").toUpperCase(); }
  function fromAddress() {
    var found = tidy(location.hash.replace("#", ""));
    return CODE.test(found) ? found : "";
  }
  function fresh() {
    var made = "", i;
    for (i = 0; i < 4; i += 1) { made += (4294967296 + next()).toString(16).slice(1); }
    return made;
  }
  /* Before anything is asked: whether the room knows the code, and what it has answered. */
  function prove() {
    var mine = code;
    if (looking === mine) { return; }
    looking = mine;
    Line.request("POST", "code", JSON.stringify({ "pass": mine }), function (code_, text) {
      if (looking === mine) { looking = ""; }
      if (mine !== code) { return; }
      if (code_ === 200) {
        proved = mine;
        answered = {};
        JSON.parse(text).answered.forEach(function (at) { answered[at.join("\n")] = true; });
        tell("");
      } else if (code_ === 403) {
        code = "";
        wrong = mine;
      } else {
        if (code_ !== 429) { tell(say(code_ === 404 ? "moved" : "lost")); }
        setTimeout(function () {
          if (mine === code && mine !== proved) { prove(); }
        }, code_ === 404 ? RARELY : RETRY);
        return;
      }
      draw(true);
    });
  }
  function askCode() {
    var form = make("form", "", "card"), field = make("input"), label = make("label", say("code"), "field");
    var help = Parts.below(field, say("bad_code"));
    field.type = "text"; field.id = "code"; field.setAttribute("autocomplete", "off");
    field.setAttribute("autocapitalize", "characters"); field.maxLength = 12;
    label.htmlFor = "code";
    var go = make("button", say("use_code"));
    go.type = "submit";
    form.onsubmit = function () {
      if (!CODE.test(tidy(field.value))) {
        help.complain(say("bad_code"));
        field.focus();
      } else {
        code = tidy(field.value);
        draw(true);
      }
      return false;
    };
    add(form, label, field, help.part, go);
    if (wrong) {
      field.value = wrong;  /* to be mended, not typed anew */
      help.complain(outcome({ done: "code" }));
    }
    wrong = "";
    return form;
  }

  /* Asking */

  function range(asked) {
    return say("range", { low: asked.options[0], high: asked.options[1] });
  }
  function ask(asked, card) {
    var name = "a-" + asked.key;
    var answer = asked.number ? Parts.whole(name, say("answer"), asked.low, asked.high, range(asked))
      : Parts.radios(name, say("answer"), asked.options, -1, say("pick"));
    var labels = asked.choices.map(function (choice) { return choice.label; });
    var noise = labels.length > 1 ? Parts.radios("e-" + asked.key, say("noise"), labels, 0, "") : null;
    add(card, make("h2", asked.text), answer.part, noise ? noise.part : make("p", labels[0], "quiet"));
    add(card, button(say("throw"), function () {
      if (kept().sent[key(asked)]) {  /* by another page of this phone */
        back(asked, card);
        return;
      }
      if (answer.value() < 0) {
        answer.complain();
        return;
      }
      var choice = asked.choices[noise ? noise.value() : 0];
      var made = Coins.randomise(choice.law, answer.value(), next);
      var body = JSON.stringify({ question: asked.key, round: asked.round, mechanism: choice.law.mechanism,
        epsilon: choice.epsilon, value: made.value, "pass": room.often ? fresh() : code });
      var state = kept();
      /* Kept before it is sent, and counted: no second throw, whatever happens on the way. */
      state.micro += choice.micro;
      state.sent[key(asked)] = { body: body, done: "", says: said(asked, choice.law, made.value),
        text: asked.text };
      keep(state);
      after(asked, card, made.steps);
      send(asked);
    }));
  }
  function key(asked) { return asked.key + "\n" + asked.round; }
  function said(asked, law, value) {
    if (asked.number) { return say(value ? "upper" : "lower", { value: asked.options[value] }); }
    if (law.mechanism !== "oue") { return "“" + asked.options[value] + "”"; }
    var on = asked.options.filter(function (_, i) { return (value >> i) & 1; });
    return on.length ? "“" + on.join("”, “") + "”" : say("none");
  }

  /* Sending */

  function send(asked) {
    var name = key(asked), going = kept().sent[name];
    if (!going) { return; }
    flying[name] = true;
    tell(say("sending"));
    Line.request("POST", "report", going.body, function (code_, text) {
      var state = kept(), sent = state.sent[name], why = "";
      try { why = JSON.parse(text).refused || ""; } catch (_) { why = ""; }
      if (code_ === 429) {
        setTimeout(function () { send(asked); }, RETRY * (1 + next() / 4294967296));
        return;
      }
      delete flying[name];
      if (!sent) { return; }
      /* It was sent before, and nothing was heard: that is why it is there. */
      if (why === "used" && sent.done === "unknown") { why = room.often ? "yes" : "there"; }
      sent.done = code_ === 200 ? "yes" : why && why !== "disk" ? why : "unknown";
      keep(state);
      ended(asked);
      before(cards);
      tell(outcome(sent));
      total();
    });
  }
  function outcome(sent) {
    if (sent.done === "yes") { return say("arrived"); }
    if (sent.done === "there") { return say("there"); }
    if (!sent.done) { return say("sending"); }
    if (sent.done === "unknown") { return say("unknown"); }
    var why = room.words["refused_" + sent.done];
    return why ? say("refused", { why: why }) : say("unknown");
  }
  function step(asked, one) {
    var drawn = say("drawn", { drawn: grouped(one.drawn), last: grouped(one.whole - 1) });
    var option = asked.options[one.step === "bit" ? one.option : one.value];
    if (one.step === "truth" && one.own * 2 === one.whole) {
      return drawn + " " + say(one.told ? "first_heads" : "first_tails");
    }
    if (one.step === "truth") {
      return drawn + " " + say(one.told ? "truth_below" : "truth_above", { own: grouped(one.own) });
    }
    if (one.step === "coin") {
      return say("second", { side: say(one.value ? "heads" : "tails"), value: option });
    }
    if (one.step === "other") { return say("other", { value: option }); }
    if (one.step === "rounded") {
      return say("rounded", { drawn: grouped(one.drawn), last: grouped(one.whole - 1),
        own: grouped(one.own), value: option });
    }
    return drawn + " " + say(one.mine ? "bit_own" : "bit_other",
      { value: option, own: grouped(one.own), bit: one.bit });
  }
  function letters(sent) {
    return add(make("details"), make("summary", say("sent")), make("p", say("sent_all")),
      make("pre", sent.body));
  }
  /* What was sent of a question; of what was typed nothing is left but for what the coins tell. */
  function after(asked, card, steps) {
    var sent = kept().sent[key(asked)], head = make("h2", asked.text);
    var coins = make("details"), list = make("ol"), end = make("div");
    var last = make("div");
    ends[key(asked)] = { said: end, last: last };
    empty(card);
    head.tabIndex = -1;
    add(card, head, make("p", say("speaks", { value: sent.says }), "says"),
      make("p", say(asked.number || asked.choices[0].law.mechanism === "oue" ? "made" : "maybe")),
      end, letters(sent));
    if (steps.length) {
      steps.forEach(function (one) { add(list, make("li", step(asked, one))); });
      add(card, add(coins, make("summary", say("coins")), list));
      head.focus();
    }
    add(card, last);
    ended(asked);
  }
  /* Whether it arrived, and what can be done; the rest of its card stays as it is being read. */
  function ended(asked) {
    var sent = kept().sent[key(asked)], end = ends[key(asked)];
    if (!end) { return; }
    empty(end.said);
    empty(end.last);
    add(end.said, make("p", outcome(sent)));
    /* What was late can be taken where the question is open again. */
    if (sent.done === "unknown" || sent.done === "late") {
      add(end.said, button(say("again"), function () { send(asked); }));
    }
    if (room.often && sent.done === "yes") {
      add(end.last, button(say("another"), function () {
        var state = kept();
        delete state.sent[key(asked)];
        keep(state);
        tell("");
        draw(true);
      }, "second"));
    }
  }

  /* The page */

  function total() {
    var line = document.getElementById("sum");
    /* Before the first report there is nothing to add up. */
    if (line) { line.textContent = kept().micro ? say("sum", { sum: spelled(kept().micro) }) : ""; }
  }
  function draw(anew) {
    var list = {}, open = room.questions, news = "", first = shown === "" || anew;
    var now = code + JSON.stringify(open.map(key));
    if (!anew && (now === shown || document.getElementById("code"))) { return; }
    if (anew || !document.getElementById("cards")) { frame(); }
    shown = now;
    var held = document.getElementById("cards");
    if (!held) { return; }
    open.forEach(function (asked) {
      var name = key(asked), card = cards[name];
      if (!card) {
        card = make("section", "", "card");
        card.setAttribute("aria-label", asked.text);
        if (kept().sent[name]) {
          back(asked, card);
        } else if (answered[name]) {
          add(card, make("h2", asked.text), make("p", say("answered")));
        } else {
          ask(asked, card);
          news = "new";
        }
      }
      list[name] = card;
    });
    Object.keys(cards).forEach(function (name) {
      if (!list[name]) {
        held.removeChild(cards[name]);
        delete ends[name];
        if (!kept().sent[name]) { news = news || "closed"; }
      }
    });
    if (news && !first) { tell(say(news)); }
    open.forEach(function (asked, i) {
      var card = list[key(asked)];
      /* One that stands right is not moved: whoever types in it would lose the field. */
      if (held.childNodes[i] !== card) { held.insertBefore(card, held.childNodes[i] || null); }
    });
    cards = list;
    document.getElementById("wait").style.display = open.length ? "none" : "";
    before(list);
    total();
  }
  /* What was sent to questions that are closed by now. */
  function before(open) {
    var held = document.getElementById("before"), sent = kept().sent;
    empty(held);
    Object.keys(sent).forEach(function (name) {
      if (!open[name]) {
        add(held, add(make("section", "", "card"), make("h2", sent[name].text),
          make("p", say("speaks", { value: sent[name].says })), make("p", outcome(sent[name])),
          letters(sent[name])));
      }
    });
  }
  /* The card of what this phone has sent; left while it was on its way, it may have arrived. */
  function back(asked, card) {
    var state = kept(), name = key(asked);
    if (!state.sent[name].done && !flying[name]) {
      state.sent[name].done = "unknown";
      keep(state);
    }
    after(asked, card, []);
  }
  function frame() {
    empty(root);
    cards = {};
    ends = {};
    add(root, make("p", say("lead")));
    if (location.protocol === "http:") { add(root, make("p", say("plain"), "warn")); }
    add(root, make("p", say(room.often ? "often" : "once"), "quiet"));
    if (!room.often && (!code || code !== proved)) {
      add(root, code ? make("p", say("looking")) : askCode());
      if (code) { prove(); }
      return;
    }
    var wait = make("p", say("waiting")), held = make("div"), past = make("div");
    var sum = make("p", "", "says");
    wait.id = "wait"; held.id = "cards"; past.id = "before"; sum.id = "sum";
    add(root, wait, held, past, sum, make("p", say("sum_help"), "quiet"),
      button(say("forget"), forget, "second"));
  }
  function heard(code_, text) {
    var told;
    if (code_ !== 200) {
      if (room && code_ !== 429) {
        away = true;
        tell(say(code_ === 404 ? "moved" : "lost"));
      }
      return code_ === 404 ? RARELY : code_ ? BEAT : RETRY;
    }
    if (away) {
      away = false;
      tell("");
    }
    if (text === seen) { return BEAT; }
    try { told = JSON.parse(text); } catch (_) { return BEAT; }
    room = told;
    seen = text;
    if (next) { draw(false); } else {
      empty(root);
      add(root, make("p", say("no_chance"), "stop"));
    }
    return BEAT;
  }
  window.onhashchange = function () {
    if (fromAddress() && room) {
      code = fromAddress();
      draw(true);
    }
  };
  Line.watch("room", BEAT, heard);
}());
