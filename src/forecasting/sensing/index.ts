export { poolShareCurves, type PooledShareCurve } from './pooled-share-curve.js';
export { senseDemand, type SensedDemand, type SensingInput } from './sense-demand.js';
export { shareCurve, type DailyMonth, type ShareCurve } from './share-curve.js';
