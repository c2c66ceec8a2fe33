/** Lets a fixed number of threads wait for each other; `state` is two shared integers: arrivals and generation. */
export class Barrier {
  constructor(
    private readonly state: Int32Array,
    private readonly threads: number,
  ) {}

  wait(): void {
    const generation = Atomics.load(this.state, 1);
    if (Atomics.add(this.state, 0, 1) + 1 === this.threads) {
      Atomics.store(this.state, 0, 0);
      Atomics.add(this.state, 1, 1);
      Atomics.notify(this.state, 1);
      return;
    }
    while (Atomics.load(this.state, 1) === generation) Atomics.wait(this.state, 1, generation);
  }
}
