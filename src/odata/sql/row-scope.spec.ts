import { describe, expect, it } from '@jest/globals';
import type { PropertyPath } from '../language/ast.js';
import { entitySet } from '../model/model.js';
import { EntityScope } from './row-scope.js';

describe('the rows of an entity set', () => {
  const forecasts = () => new EntityScope(entitySet('Forecasts'));
  const path = (...segments: string[]): PropertyPath => ({ kind: 'path', segments, at: 0 });

  it('have their own columns for what they duplicate from another entity', () => {
    const scope = forecasts();
    expect(scope.property('$filter', path('run', 'is_latest'))).toMatchObject({
      sql: 't0."is_latest"',
      type: 'boolean',
      nullable: false,
    });
    expect(scope.from()).not.toContain('LEFT JOIN');
  });

  it('are joined to another entity for everything else', () => {
    const scope = forecasts();
    expect(scope.property('$filter', path('run', 'status'))).toMatchObject({ sql: 't1."status"', type: 'string' });
    expect(scope.from()).toContain('AS t1 ON t1.id = t0."run_id"');
  });
});
