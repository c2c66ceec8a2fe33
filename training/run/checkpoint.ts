import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWhole } from '../../src/platform/whole-files.js';
import { type TrainingSettings } from '../options.js';
import { type Trainer } from './trainer.js';

interface Header {
  readonly settings: TrainingSettings;
  readonly step: number;
}

/** Writes a line of JSON (settings and step) and the state after it. */
export function saveCheckpoint(file: string, settings: TrainingSettings, trainer: Trainer): void {
  const header: Header = { settings, step: trainer.step };
  const state = trainer.state();
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), Buffer.from(state.buffer)]));
}

/**
 * Restores the trainer if there is a checkpoint of the same settings.
 * @returns whether it did. A checkpoint of other settings is ignored, and overwritten by the next one.
 */
export function resumeFrom(file: string, settings: TrainingSettings, trainer: Trainer): boolean {
  if (!existsSync(file)) return false;
  const bytes = readFileSync(file);
  const end = bytes.indexOf(10);
  const header = JSON.parse(bytes.subarray(0, end).toString('utf8')) as Header;
  if (JSON.stringify(header.settings) !== JSON.stringify(settings)) return false;
  const state = new Float32Array(bytes.buffer.slice(bytes.byteOffset + end + 1, bytes.byteOffset + bytes.length));
  trainer.restore(header.step, state);
  return true;
}
