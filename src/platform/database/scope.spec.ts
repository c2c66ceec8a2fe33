import { describe, expect, it } from '@jest/globals';
import { newId } from '../ids.js';
import { admitInto, asSystem, asTenant, beforeAdmission, currentScope, type Scope } from './scope.js';

const tenant = () => ({ organizationId: newId(), workspaceId: null });
const ofTenant = (): Scope => ({ kind: 'tenant', ...tenant() });

describe('the scope of a request', () => {
  it('is missing until the request is admitted, and counts for all that follows', async () => {
    const scope = ofTenant();
    await beforeAdmission(async () => {
      expect(currentScope()).toBeUndefined();
      await Promise.resolve().then(() => admitInto(scope)); // like a guard, after which the handler is called
      expect(currentScope()).toBe(scope);
    });
    expect(currentScope()).toBeUndefined();
  });

  it('is not that of the look-ups before it', async () => {
    await beforeAdmission(async () => {
      await asSystem('key of a request', () => Promise.resolve());
      expect(currentScope()).toBeUndefined();
    });
  });

  it('is nothing of an earlier request, whose reply led to it', () => {
    asTenant(tenant(), () => beforeAdmission(() => expect(currentScope()).toBeUndefined()));
  });

  it('is not that of another at the same time', async () => {
    const request = (): Promise<boolean> =>
      beforeAdmission(async () => {
        const scope = ofTenant();
        await Promise.resolve();
        admitInto(scope);
        await Promise.resolve();
        return currentScope() === scope;
      });
    expect(await Promise.all([request(), request(), request()])).toEqual([true, true, true]);
  });

  it('is given once, and to requests only', () => {
    beforeAdmission(() => {
      admitInto(ofTenant());
      expect(() => admitInto(ofTenant())).toThrow('no scope yet');
    });
    asTenant(tenant(), () => expect(() => admitInto(ofTenant())).toThrow('no scope yet'));
    expect(() => admitInto(ofTenant())).toThrow('no scope yet');
  });
});
