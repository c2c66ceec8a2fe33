import { classifyDemand } from '../classify.js';
import type { DemandHistory } from '../types.js';
import { intermittentChanges } from './intermittent-changes.js';
import { regularChanges } from './regular-changes.js';
import { ChangeOptions, DEFAULT_CHANGE_OPTIONS, DemandChange } from './types.js';

/**
 * Every level shift, spike and drop in a history, oldest first, each found with what was known by its `detectedMonth` only: a
 * run tells those whose `detectedMonth` is its latest month, and a later run over a longer history finds them again. Empty for
 * histories under 25 observed months. Missing months (NaN) are missing, not zero. Never throws; about a tenth of a millisecond for 100
 * months.
 */
export function detectChanges(history: DemandHistory, options: ChangeOptions = DEFAULT_CHANGE_OPTIONS): DemandChange[] {
  const profile = classifyDemand(history.values);
  const unitFloor = comesInPieces(history.values) ? options.minimumUnits : 0;
  const find = profile.infrequent ? intermittentChanges : regularChanges;
  return find(history, options, unitFloor).sort((a, b) => a.detectedMonth - b.detectedMonth);
}

function comesInPieces(values: Float64Array): boolean {
  return values.every((value) => !Number.isFinite(value) || Number.isInteger(value));
}
