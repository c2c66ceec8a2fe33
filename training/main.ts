import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeWeights, encodeWeights } from '../src/forecasting/network/weights.js';
import { loadDomain } from './data/domains.js';
import { evaluate, formatScores } from './evaluation.js';
import { parseOptions } from './options.js';
import { publish } from './publish.js';
import { resumeFrom, saveCheckpoint } from './run/checkpoint.js';
import { Trainer } from './run/trainer.js';

const REPORT_STEPS = 250;
const CHECKPOINT_STEPS = 1000;

/** Shares of a batch before the setting `real` scales them; the rest is synthetic. */
const SHARES = { m3: 0.32, hospital: 0.13, carparts2509: 0.12 } as const;

const { settings, threads, data, checkpoint, output, resume } = parseOptions(process.argv.slice(2));
const started = Date.now();
const minutes = (): number => (Date.now() - started) / 60_000;

const domains = (['m3', 'hospital', 'carparts2509'] as const)
  .map((set) => loadDomain(data, set, SHARES[set] * settings.real, settings.cut))
  .filter(({ share, series }) => share > 0 && series.length > 0);
for (const { name, series, cumulativeWindows } of domains)
  console.log(`${name}: ${series.length} series, ${cumulativeWindows.at(-1)} windows`);

const trainer = new Trainer(settings, domains, threads);
if (resume && resumeFrom(checkpoint, settings, trainer)) console.log(`resumed at step ${trainer.step}`);
while (trainer.step < settings.steps) {
  const loss = await trainer.advance(Math.min(settings.steps, trainer.step + REPORT_STEPS));
  console.log(`step ${trainer.step}/${settings.steps} loss ${loss.toFixed(5)} ${minutes().toFixed(1)} min`);
  if (trainer.step % CHECKPOINT_STEPS === 0 || trainer.step >= settings.steps)
    saveCheckpoint(checkpoint, settings, trainer);
}

const bytes = encodeWeights(trainer.weights());
await trainer.close();
if (output === undefined) publish(bytes, settings, data, minutes());
else {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, bytes);
}
console.log(formatScores(evaluate(decodeWeights(bytes), data, settings.real > 0 ? [settings.cut, 1] : [1, 2, 3, 4])));
