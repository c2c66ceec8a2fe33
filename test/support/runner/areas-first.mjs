import Sequencer from '@jest/test-sequencer';

/** Files that run for minutes, longest first. File size, which Jest sorts by, does not indicate how long they run. */
const LONG = [
  'areas/access',
  'areas/connectors',
  'areas/runs',
  'start/start',
  'areas/tenancy',
  'tenancy/mutation',
  'areas/results',
  'areas/compliance',
  'areas/odata',
  'areas/series',
  'areas/start',
  'areas/contract',
  'areas/platform',
];

/**
 * Without timings from an earlier run, as on a fresh clone, Jest begins with the largest files. An area is a short file that runs for
 * minutes, so areas came last, and one of them kept running alone. Hence areas come first, with the long suites outside areas, then the
 * other suites of the service; the short files fill the remaining time.
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
