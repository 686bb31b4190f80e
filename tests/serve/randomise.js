/* Runs the phone's coins as they are served: `node randomise.js coins.js`, JSON in and out. A case
   has a law, an answer and the numbers that are drawn; `free` has as many reports of each answer as
   asked for, from node's own secret numbers. */
"use strict";
const vm = require("vm"), fs = require("fs");
const held = { Uint32Array };
vm.createContext(held);
vm.runInContext(fs.readFileSync(process.argv[2], "utf8"), held);
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const cases = asked.cases.map((one) => {
  let at = 0;
  const made = held.Coins.randomise(one.law, one.answer, () => one.words[at++]);
  return { value: made.value, used: at, steps: made.steps.map((step) => step.step) };
});
const next = held.Coins.source(require("crypto").webcrypto);
const free = asked.free.map((one) => {
  const counts = {};
  for (let i = 0; i < one.times; i += 1) {
    const value = held.Coins.randomise(one.law, one.answer, next).value;
    counts[value] = (counts[value] || 0) + 1;
  }
  return counts;
});
process.stdout.write(JSON.stringify({ cases, free, none: held.Coins.source({}) }));
