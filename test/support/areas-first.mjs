import Sequencer from '@jest/test-sequencer';

/**
 * Where Jest has not measured the files yet, as on a fresh clone, it begins with the largest. An area is a short file that runs
 * for minutes, so areas came last and one of them ran on alone: they come first, and the short files fill what is left.
 */
export default class AreasFirst extends Sequencer {
  sort(tests) {
    const usual = super.sort(tests);
    const isArea = ({ path }) => path.endsWith('.e2e-area.ts');
    return [...usual.filter(isArea), ...usual.filter((test) => !isArea(test))];
  }
}
