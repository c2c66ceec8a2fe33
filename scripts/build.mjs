import { ensureBuilt, ensureInstalled } from './prepare.mjs';

ensureInstalled({ development: false });
ensureBuilt();
