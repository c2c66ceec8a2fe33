import '../model/sequences.e2e-spec.js';
import '../security/canaries.e2e-spec.js';
import '../tenancy/catalog.e2e-spec.js';
import '../tenancy/matrix.e2e-spec.js';
import '../tenancy/scope.e2e-spec.js';
import '../tenancy/service-role.e2e-spec.js';
