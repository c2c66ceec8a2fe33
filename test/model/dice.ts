/** Choices made of numbers that fast-check has drawn: the same numbers, the same choices. */
export class Dice {
  private next = 0;

  constructor(private readonly rolls: readonly number[]) {}

  /** From 0 up to, and without, `bound`. */
  below(bound: number): number {
    return (this.rolls[this.next++ % this.rolls.length] ?? 0) % bound;
  }

  /** True once in so many times. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === inTimes - 1;
  }

  pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** Undefined where there is nothing to pick. */
  pickOf<Value>(values: readonly Value[]): Value | undefined {
    return values.length === 0 ? undefined : this.pick(values);
  }
}
