import { parentPort, workerData } from 'node:worker_threads';
import { INPUTS, OUTPUT_MONTHS, OUTPUTS } from '../../src/forecasting/network/shape.js';
import { type BatchRows, BatchSampler } from '../data/batch-sampler.js';
import { type Domain } from '../data/domains.js';
import { gradientNorm, sumGradients, updateParameters } from '../model/adam.js';
import { Backpropagation } from '../model/backpropagation.js';
import { SHARDS, trainingMemory } from '../model/memory.js';
import { pinballLoss } from '../model/pinball-loss.js';
import { type TrainingSettings } from '../options.js';
import { Random } from '../random.js';
import { BLOCK_SERIES, SERIES_MONTHS, writeBlock } from '../synthetic/index.js';
import { Barrier } from './barrier.js';

/** What a thread is started with; memory and buffers are shared by all. */
export interface ThreadSetup {
  readonly thread: number;
  readonly threads: number;
  readonly settings: TrainingSettings;
  readonly domains: readonly Domain[];
  readonly memory: WebAssembly.Memory;
  /** Synthetic series, {@link SERIES_MONTHS} floats each. */
  readonly pool: SharedArrayBuffer;
  /** Two integers of the barrier. */
  readonly barrier: SharedArrayBuffer;
  /** Summed loss of each shard since the last message. */
  readonly losses: SharedArrayBuffer;
}

/** Work for a thread: fill its part of the pool for an epoch, or run the steps [from, to). */
export type ThreadTask = { kind: 'epoch'; epoch: number } | { kind: 'steps'; from: number; to: number };

const setup = workerData as ThreadSetup;
const { thread, threads, settings } = setup;
const memory = trainingMemory(settings, settings.batch);
const network = new Backpropagation(memory, setup.memory);
const pool = new Float32Array(setup.pool);
const losses = new Float64Array(setup.losses);
const sampler = new BatchSampler(setup.domains, pool, settings);
const barrier = new Barrier(new Int32Array(setup.barrier), threads);
const targets = new Float32Array(memory.rows * OUTPUT_MONTHS);
const weights = new Float32Array(memory.rows);
const rowShare = 1 / (settings.batch * OUTPUTS);
const from = Math.floor((memory.layout.size * thread) / threads);
const to = Math.floor((memory.layout.size * (thread + 1)) / threads);

function fillPool(epoch: number): void {
  const blocks = pool.length / (BLOCK_SERIES * SERIES_MONTHS);
  for (let block = thread; block < blocks; block += threads) writeBlock(pool, block, settings.seed, epoch, settings);
}

function runShard(step: number, index: number): void {
  const shard = memory.shards[index]!;
  const inputs = network.floats.subarray(shard.inputs, shard.inputs + memory.rows * INPUTS);
  const rows: BatchRows = { inputs, targets, weights };
  const bySeries = new Random(settings.seed, 0xba7c, step).chance(0.5);
  sampler.fill(new Random(settings.seed, 0xba7c, step, index), rows, bySeries);
  network.forward(shard);
  const loss = pinballLoss(network.floats, shard.outputs, shard.outputGradient, targets, weights, rowShare);
  losses[index] = losses[index]! + loss;
  network.backward(shard);
}

function runStep(step: number): void {
  if (thread === 0) network.transposeWeights();
  barrier.wait();
  for (let index = thread; index < SHARDS; index += threads) runShard(step, index);
  barrier.wait();
  sumGradients(memory, network.floats, from, to);
  barrier.wait();
  const norm = gradientNorm(memory, network.floats);
  barrier.wait();
  updateParameters(memory, network.floats, { from, to }, { step, norm, settings });
  barrier.wait();
}

parentPort?.on('message', (task: ThreadTask) => {
  if (task.kind === 'epoch') fillPool(task.epoch);
  else for (let step = task.from; step < task.to; step++) runStep(step);
  parentPort?.postMessage('done');
});
