import Sequencer from '@jest/test-sequencer';

/** What runs for minutes, the longest first. The size of a file, by which Jest would go, does not tell how long it runs. */
const LONG = [
  'areas/access',
  'start/start',
  'areas/connectors',
  'areas/runs',
  'tenancy/mutation',
  'areas/tenancy',
  'areas/odata',
  'areas/results',
  'areas/platform',
  'areas/series',
  'areas/start',
  'areas/contract',
  'areas/compliance',
];

/**
 * Where Jest has not measured the files yet, as on a fresh clone, it begins with the largest. An area is a short file that runs
 * for minutes, so areas came last and one of them ran on alone: they come first, with the long suites that are in no area and then
 * the other suites of the service, and the short files fill what is left.
 */
export default class AreasFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const long = LONG.findIndex((name) => path.includes(`/test/${name}.e2e-`));
      if (long >= 0) return long;
      return path.includes('.e2e-') ? LONG.length : LONG.length + 1;
    };
    return super.sort(tests).toSorted((one, other) => place(one) - place(other));
  }
}
