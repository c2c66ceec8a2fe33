/**
 * How a sync goes on after a fault. `wait`: as long as the platform asked to; `passing`: tried again for a while; `refused`: the sync
 * fails; `reconnect`: the sync fails and the connector needs new credentials.
 */
export type FaultKind = 'wait' | 'passing' | 'refused' | 'reconnect';

/** A fault of a platform. The message is shown to members and never quotes what either side has sent. */
export class PlatformFault extends Error {
  override readonly name = 'PlatformFault';

  private constructor(
    readonly kind: FaultKind,
    readonly code: string,
    message: string,
    /** Milliseconds, of `wait`, and of `passing` where the platform says when it is back. */
    readonly waitMs = 0,
    /** Of the reply that was a refusal, where one was. */
    readonly status?: number,
  ) {
    super(message);
  }

  static wait(waitMs: number): PlatformFault {
    return new PlatformFault('wait', 'rate_limited', 'The platform asked to wait.', waitMs);
  }
  static passing(code: string, message: string, waitMs = 0): PlatformFault {
    return new PlatformFault('passing', code, message, waitMs);
  }
  static refused(code: string, message: string, status?: number): PlatformFault {
    return new PlatformFault('refused', code, message, 0, status);
  }
  static reconnect(code: string, message: string): PlatformFault {
    return new PlatformFault('reconnect', code, message);
  }
  /** The credentials are good, and lack a right or have lost it. */
  static revoked(message: string): PlatformFault {
    return PlatformFault.reconnect('access_revoked', message);
  }

  /**
   * Whether it is the place in a list that may have been refused. A redirection, a shop that is not open (402, 423) and a firewall
   * (403) refuse whatever is asked for: from the same place they can be asked again.
   */
  get mayBeOfPosition(): boolean {
    const { status = 0 } = this;
    return this.kind === 'refused' && !(status >= 300 && status < 400) && ![402, 403, 423].includes(status);
  }
}
