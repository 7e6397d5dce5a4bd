// SPDX-License-Identifier: MIT
// A stretch of time on a width.

const kSteps = [1, 2, 5];

export class Axis {
  constructor(from, until) {
    this.from = from;
    this.until = Math.max(until, from + 1000);
  }

  share(ns) { return (ns - this.from) / (this.until - this.from); }

  // About `count` round instants in it, counted from `zero`.
  ticks(zero, count) {
    const rough = (this.until - this.from) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * (kSteps.find((factor) => factor * power >= rough) ?? 10);
    const ticks = [];
    for (let k = Math.ceil((this.from - zero) / step); zero + k * step <= this.until; ++k) {
      ticks.push(zero + k * step);
    }
    return ticks;
  }
}
