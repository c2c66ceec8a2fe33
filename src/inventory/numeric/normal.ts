/**
 * Quantile of the standard normal distribution, seven decimal digits: Wichura, algorithm AS 241 (PPND7), Applied Statistics
 * 37 (1988). `probability` strictly between 0 and 1.
 */
export function normalQuantile(probability: number): number {
  const centred = probability - 0.5;
  if (Math.abs(centred) <= 0.425) {
    const r = 0.180625 - centred * centred;
    return (
      (centred * (((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179)) /
      (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1)
    );
  }
  const r = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const size = r <= 5 ? nearTail(r - 1.6) : farTail(r - 5);
  return centred < 0 ? -size : size;
}

function nearTail(r: number): number {
  return (
    (((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777) /
    ((0.12021132975 * r + 0.7370016425) * r + 1)
  );
}

function farTail(r: number): number {
  return (
    (((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115) /
    ((0.012258202635 * r + 0.24197894225) * r + 1)
  );
}
