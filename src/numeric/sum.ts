/** Sum of the values from `from` to before `to`, in their order; without bounds all of them. Bounds beyond the ends are none. */
export function sumOf(values: ArrayLike<number>, from = 0, to = values.length): number {
  let sum = 0;
  for (let i = Math.max(0, from); i < Math.min(to, values.length); i++) sum += values[i]!;
  return sum;
}
