/* The coins of a phone, in whole numbers: the same law as dpstudio/privacy/room/law.py, which the
   estimate is made with. `next()` gives whole numbers from 0 to 4294967295, all alike likely. */
var Coins = (function () {
  "use strict";
  var WORD = 4294967296;

  /* From 0 to n - 1, all alike: what lies past the last whole run of n is drawn again. */
  function below(n, next) {
    var last = WORD - (WORD % n), drawn;
    do { drawn = next(); } while (drawn >= last);
    return drawn % n;
  }

  /* Tell the truth or let a fair coin speak. */
  function coins(law, answer, next, steps) {
    var drawn = below(law.whole, next), told = drawn < law.own, value = answer;
    steps.push({ step: "truth", drawn: drawn, whole: law.whole, own: law.own, told: told });
    if (!told) {
      value = below(2, next);
      steps.push({ step: "coin", value: value });
    }
    return value;
  }

  function grr(law, answer, next, steps) {
    var drawn = below(law.whole, next), told = drawn < law.own, value = answer;
    steps.push({ step: "truth", drawn: drawn, whole: law.whole, own: law.own, told: told });
    if (!told) {
      value = (drawn - law.own - ((drawn - law.own) % law.other)) / law.other;
      if (value >= answer) { value += 1; }
      steps.push({ step: "other", value: value });
    }
    return value;
  }

  function oue(law, answer, next, steps) {
    var value = 0, i, drawn, under, bit;
    for (i = 0; i < law.d; i += 1) {
      drawn = below(law.whole, next);
      under = i === answer ? law.own : law.other;
      bit = drawn < under ? 1 : 0;
      value += bit << i;
      steps.push({ step: "bit", option: i, drawn: drawn, whole: law.whole, own: under,
                   mine: i === answer, bit: bit });
    }
    return value;
  }

  function duchi(law, answer, next, steps) {
    var drawn = below(law.d - 1, next), end = drawn < answer ? 1 : 0;
    steps.push({ step: "rounded", drawn: drawn, whole: law.d - 1, own: answer, value: end });
    return coins(law, end, next, steps);
  }

  var kinds = { fair_coins: coins, warner: coins, grr: grr, oue: oue, duchi: duchi };

  /* What is sent of an answer, counted from 0, and how it came to be. */
  function randomise(law, answer, next) {
    var steps = [], value = kinds[law.mechanism](law, answer, next, steps);
    return { value: value, steps: steps };
  }

  /* Secret numbers of the phone; null where it has none. */
  function source(crypto) {
    if (!crypto || !crypto.getRandomValues || typeof Uint32Array === "undefined") { return null; }
    return function () {
      var word = new Uint32Array(1);
      crypto.getRandomValues(word);
      return word[0];
    };
  }

  return { below: below, randomise: randomise, source: source };
}());
