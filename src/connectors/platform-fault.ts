import { counted } from '../platform/counted.js';

/**
 * How a sync continues after a fault. `wait`: after as long as the platform asked for; `passing`: retried for a while; `refused`: the sync
 * fails, and the next one reads the list from the start, since it may be the position in the list that was refused; `closed`: the sync
 * fails, since nothing can be read at the moment, and the next one continues where it stopped; `reconnect`: likewise, once the connector
 * has working credentials.
 */
export type FaultKind = 'wait' | 'passing' | 'refused' | 'closed' | 'reconnect';

/** A platform's fault. The message is shown to members and never quotes what either side has sent, except the id of an order. */
export class PlatformFault extends Error {
  override readonly name = 'PlatformFault';

  private constructor(
    readonly kind: FaultKind,
    readonly code: string,
    message: string,
    /** Milliseconds, for `wait`, and for `passing` if the platform says when it will be back. */
    readonly waitMs = 0,
    /** Status of the response that was a refusal, if any. */
    readonly status?: number,
    /** Id of the order whose request failed, if it may be due to that order. */
    readonly order?: string,
  ) {
    super(message);
  }

  static wait(waitMs: number): PlatformFault {
    const seconds = counted(Math.ceil(waitMs / 1_000), 'second');
    return new PlatformFault('wait', 'rate_limited', `The platform asked to wait for ${seconds}.`, waitMs);
  }
  static passing(code: string, message: string, waitMs = 0): PlatformFault {
    return new PlatformFault('passing', code, message, waitMs);
  }
  static refused(code: string, message: string, status?: number): PlatformFault {
    return new PlatformFault('refused', code, message, 0, status);
  }
  /** The platform refuses every request: it is locked, unavailable or has moved. */
  static closed(code: string, message: string, status?: number): PlatformFault {
    return new PlatformFault('closed', code, message, 0, status);
  }
  static reconnect(code: string, message: string): PlatformFault {
    return new PlatformFault('reconnect', code, message);
  }
  /** The credentials are valid, but lack a permission or have lost it. */
  static revoked(message: string): PlatformFault {
    return PlatformFault.reconnect('access_revoked', message);
  }

  /** The same, with the order that it concerns, also in the message. @param order its id, as in `SourceOrder` */
  about(order: string): PlatformFault {
    const { kind, code, message, waitMs, status, cause } = this;
    const fault = new PlatformFault(
      kind,
      code,
      `${message} The request was about order ${order}.`,
      waitMs,
      status,
      order,
    );
    fault.cause = cause;
    return fault;
  }
}
