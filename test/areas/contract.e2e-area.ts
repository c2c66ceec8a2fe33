import '../contract/drift.e2e-spec.js';
import '../contract/examples.e2e-spec.js';
import '../contract/fuzz.e2e-spec.js';
import '../contract/hostile-names.e2e-spec.js';
import '../contract/openapi.e2e-spec.js';
import '../contract/recipes.e2e-spec.js';
import '../contract/refusal-order.e2e-spec.js';
import '../contract/unknown-names.e2e-spec.js';
