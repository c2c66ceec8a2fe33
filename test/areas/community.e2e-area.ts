import '../community/moderation.e2e-spec.js';
import '../community/posting-limits.e2e-spec.js';
import '../community/rendering.e2e-spec.js';
import '../community/topics.e2e-spec.js';
import '../releases/changelog.e2e-spec.js';
import '../releases/notifications.e2e-spec.js';
import '../releases/releases.e2e-spec.js';
