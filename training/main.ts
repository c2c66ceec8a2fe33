import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BUNDLED_SETS, type BundledSet } from '../bench/support/data-sets.js';
import { decodeWeights, encodeWeights, type NetworkWeights } from '../src/forecasting/network/weights.js';
import { type Domain, loadDomain } from './data/domains.js';
import { evaluate, formatScores } from './evaluation.js';
import { parseOptions, type TrainingSettings } from './options.js';
import { publish } from './publish.js';
import { resumeFrom, saveCheckpoint } from './run/checkpoint.js';
import { Trainer } from './run/trainer.js';

/** Steps between two lines about the loss, and between two checkpoints. */
const REPORT_STEPS = 250;
const CHECKPOINT_STEPS = 1000;

/** Shares of a batch before the setting `real` scales them; the rest is synthetic. */
const SHARES: Readonly<Record<BundledSet, number>> = { m3: 0.32, hospital: 0.13, carparts2509: 0.12 };

const { settings, networks, threads, data, checkpoint, output, resume } = parseOptions(process.argv.slice(2));

/** Trains one network, from its checkpoint where there is one. */
async function train(own: TrainingSettings, domains: readonly Domain[], file: string): Promise<NetworkWeights> {
  const started = Date.now();
  const trainer = new Trainer(own, domains, threads);
  if (resume && resumeFrom(file, own, trainer)) console.log(`seed ${own.seed}: resumed at step ${trainer.step}`);
  while (trainer.step < own.steps) {
    const loss = await trainer.advance(Math.min(own.steps, trainer.step + REPORT_STEPS));
    const minutes = (Date.now() - started) / 60_000;
    console.log(
      `seed ${own.seed}: step ${trainer.step}/${own.steps} loss ${loss.toFixed(5)} ${minutes.toFixed(1)} min`,
    );
    if (trainer.step % CHECKPOINT_STEPS === 0 || trainer.step >= own.steps) saveCheckpoint(file, own, trainer);
  }
  await trainer.close();
  return trainer.weights();
}

const domains = BUNDLED_SETS.map((set) => loadDomain(data, set, SHARES[set] * settings.real, settings.cut)).filter(
  ({ share, series }) => share > 0 && series.length > 0,
);
for (const { name, series, cumulativeWindows } of domains)
  console.log(`${name}: ${series.length} series, ${cumulativeWindows.at(-1)} windows`);

const trained: NetworkWeights[] = [];
for (let seed = settings.seed; seed < settings.seed + networks; seed++)
  trained.push(await train({ ...settings, seed }, domains, `${checkpoint}-${seed}.bin`));

const bytes = encodeWeights(trained);
// Origins whose future the training has not seen: up to `cut`, or any when it saw no real data.
const origins = settings.real > 0 ? Array.from({ length: settings.cut }, (_, i) => i + 1) : [1, 2, 3, 4];
console.log(formatScores(evaluate(decodeWeights(bytes), data, origins)));
if (output === undefined) publish(bytes, settings, data);
else {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, bytes);
}
