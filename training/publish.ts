import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { networkLayout } from '../src/forecasting/network/shape.js';
import { decodeWeights } from '../src/forecasting/network/weights.js';
import { evaluate, formatScores } from './evaluation.js';
import { type TrainingSettings } from './options.js';

const WEIGHTS_MODULE = 'src/forecasting/network/pretrained.ts';
const MODEL_CARD = 'docs/model-card.md';
const LINE = 120;

/** Writes the weights as a module (base64 text, so that the engine needs no file access) and the model card beside the docs. */
export function publish(bytes: Uint8Array, settings: TrainingSettings, data: string): void {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  const text = [
    '/** Weights of the pretrained network in base64, written by `npm run train`; format: weights.ts, origin: docs/model-card.md. */',
    'export const PRETRAINED_WEIGHTS = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
  writeFileSync(WEIGHTS_MODULE, text);
  writeFileSync(MODEL_CARD, modelCard(bytes, settings, data));
}

function modelCard(bytes: Uint8Array, settings: TrainingSettings, data: string): string {
  const networks = decodeWeights(bytes);
  const form =
    networks.length === 1
      ? 'residual multilayer perceptron'
      : `average of ${networks.length} residual multilayer perceptrons`;
  const parameters = networks.length * networkLayout(settings).size;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const commandLine = Object.entries(settings).map(([key, value]) => `--${key} ${value}`);
  return `# Model card: the pretrained network

Written by \`npm run train\`; do not edit. The network is one of the [members](engine-regular-demand.md#members) of the engine.
[engine-network.md](engine-network.md) explains what it computes, how it was trained and what was tried.

| | |
|---|---|
| Task | forecasts 24 months of demand in quantiles .1 to .9, from up to 60 months of history |
| Form | ${form}, ${settings.hidden} wide, ${settings.blocks} blocks, linear skip; ${parameters} parameters |
| Weights | int8, with one quantisation step per column; ${bytes.length} bytes |
| SHA-256 of the weights | \`${hash}\` |
| Trained | ${new Date().toISOString().slice(0, 10)}, ${settings.steps} steps of ${settings.batch} rows |

## Data

The real series are the training parts of M3 (monthly), hospital and car parts as bundled under bench/data (sources and licenses: bench/data/ATTRIBUTION.md),
cut ${settings.cut} horizon(s) before the end of each training part, so that a backtest at one horizon is honest. The test parts are
never read in training. All other series, and half of those that real windows are averaged with, are synthetic (\`training/synthetic\`).

## Settings

\`\`\`
npm run train -- --networks ${networks.length} ${commandLine.join(' ')}
\`\`\`

The same settings give the same weights to the bit, whatever the number of threads, on the same version of Node.

## Scores of these weights alone

The network sees one view of the raw history. Origin 0 is the test part. Origin k is k horizons before the end of the training part, so
that nothing after it was seen in training. [Terms](engine.md#terms); coverage of 80 % is ideal, and lower is better for the others.

${formatScores(evaluate(networks, data, [settings.cut, 0]))}

## Limits

- It takes monthly data only.
- It knows no calendar: working days and moving holidays are left to the [calendar regression](engine-regular-demand.md#calendar-regression) around it.
- Beyond 24 months its forecasts are extended (\`src/forecasting/network/continue-forecast.ts\`).
- Intermittent demand is forecast better by the engine's [count model](engine-infrequent-demand.md#the-count-model).
`;
}
