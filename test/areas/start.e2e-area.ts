import '../start/build.e2e-spec.js';
import '../start/database-crash.e2e-spec.js';
import '../start/demo.e2e-spec.js';
import '../start/install.e2e-spec.js';
import '../start/migrations.e2e-spec.js';
import '../start/open-files.e2e-spec.js';
import '../start/queue.e2e-spec.js';
import '../start/stop.e2e-spec.js';
