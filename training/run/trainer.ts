import { sumOf } from '../../src/numeric/sum.js';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type NetworkWeights } from '../../src/forecasting/network/weights.js';
import { type Domain } from '../data/domains.js';
import { initialParameters } from '../model/initialize.js';
import { allocate, SHARDS, trainingMemory, type TrainingMemory } from '../model/memory.js';
import { type TrainingSettings } from '../options.js';
import { SERIES_MONTHS } from '../synthetic/index.js';
import type { ThreadSetup, ThreadTask } from './thread.js';

/** Threads over one shared memory. The result depends on the settings and the data, not on the number of threads. */
export class Trainer {
  readonly #layout: TrainingMemory;
  readonly #floats: Float32Array;
  readonly #threads: Worker[];
  readonly #losses: Float64Array;
  #epoch = -1;
  #step = 0;

  constructor(
    private readonly settings: TrainingSettings,
    domains: readonly Domain[],
    threads: number,
  ) {
    this.#layout = trainingMemory(settings, settings.batch);
    const memory = allocate(this.#layout);
    this.#floats = new Float32Array(memory.buffer);
    const parameters = initialParameters(this.#layout.layout, settings.seed);
    this.#floats.set(parameters, this.#layout.parameters);
    this.#floats.set(parameters, this.#layout.average);
    const shared = {
      pool: new SharedArrayBuffer(settings.poolSeries * SERIES_MONTHS * Float32Array.BYTES_PER_ELEMENT),
      barrier: new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT),
      losses: new SharedArrayBuffer(SHARDS * Float64Array.BYTES_PER_ELEMENT),
    };
    this.#losses = new Float64Array(shared.losses);
    const file = new URL('./thread.js', import.meta.url);
    this.#threads = Array.from({ length: threads }, (_, thread) => {
      const workerData: ThreadSetup = { thread, threads, settings, domains, memory, ...shared };
      return new Worker(file, { workerData });
    });
  }

  /** Steps done so far. */
  get step(): number {
    return this.#step;
  }

  /** Trains up to step `to` and returns the mean loss of these steps. */
  async advance(to: number): Promise<number> {
    const first = this.#step;
    this.#losses.fill(0);
    while (this.#step < to) {
      const epoch = Math.floor(this.#step / this.settings.epochSteps);
      if (epoch !== this.#epoch) await this.#run({ kind: 'epoch', epoch });
      this.#epoch = epoch;
      const end = Math.min(to, (epoch + 1) * this.settings.epochSteps);
      await this.#run({ kind: 'steps', from: this.#step, to: end });
      this.#step = end;
    }
    return sumOf(this.#losses) / Math.max(1, to - first);
  }

  /** The averaged parameters. */
  weights(): NetworkWeights {
    const { average, layout } = this.#layout;
    const { hidden, blocks } = this.settings;
    return {
      shape: { hidden, blocks },
      parameters: Float32Array.from(this.#floats.subarray(average, average + layout.size)),
    };
  }

  /** Parameters, their average and the optimizer's moments, one after the other. */
  state(): Float32Array {
    return Float32Array.from(this.#stateOffsets().flatMap(([from, to]) => Array.from(this.#floats.subarray(from, to))));
  }

  /** Continues from a {@link state} taken after `step` steps. */
  restore(step: number, state: Float32Array): void {
    const { size } = this.#layout.layout;
    if (state.length !== 4 * size)
      throw new RangeError(`checkpoint: expected ${4 * size} numbers, got ${state.length}`);
    this.#stateOffsets().forEach(([from], i) => this.#floats.set(state.subarray(i * size, (i + 1) * size), from));
    this.#step = step;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #stateOffsets(): [number, number][] {
    const { parameters, average, firstMoment, secondMoment, layout } = this.#layout;
    return [parameters, average, firstMoment, secondMoment].map((from) => [from, from + layout.size]);
  }

  async #run(task: ThreadTask): Promise<void> {
    await Promise.all(
      this.#threads.map(async (thread) => {
        thread.postMessage(task);
        await once(thread, 'message');
      }),
    );
  }
}
