import '../series/actuals.e2e-spec.js';
import '../series/bad-upload.e2e-spec.js';
import '../series/crowded-uploads.e2e-spec.js';
import '../series/failed-upload.e2e-spec.js';
import '../series/import.e2e-spec.js';
import '../series/override.e2e-spec.js';
import '../series/series.e2e-spec.js';
import '../series/upload.e2e-spec.js';
