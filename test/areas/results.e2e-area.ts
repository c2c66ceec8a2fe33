import '../results/derived-bands.e2e-spec.js';
import '../results/explain.e2e-spec.js';
import '../results/forecast-rows.e2e-spec.js';
import '../results/results.e2e-spec.js';
import '../results/rows-read.e2e-spec.js';
import '../results/sensing.e2e-spec.js';
import '../alerts/alerts.e2e-spec.js';
import '../alerts/polling.e2e-spec.js';
