import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../../../config/settings.js';
import { Idempotency, type ReplayableReply, type StoredReply, WorkspaceScope } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Problem } from '../../platform/http/problem.js';
import { SETTINGS } from '../../platform/platform.module.js';
import { Slots } from '../../platform/work/slots.js';
import { latestDay } from '../upload/demand-day.js';
import { readMembers } from '../upload/members.js';
import { membersAhead } from '../upload/read-upload.js';
import type { UploadTarget } from '../upload/store/store-upload.js';
import { DeferredUploads } from './deferred-uploads.js';
import { ImmediateUploads } from './immediate-uploads.js';
import { type AcceptedUpload, digestOf, type IncomingUpload, Replay } from './incoming-upload.js';
import { UPLOAD_PACE, UploadBody, uploadFormat } from './request-body.js';

const MEGABYTE = 1_048_576;

/**
 * Up to a million rows of an immediate upload are read before anything is stored, which takes 20 to 40 MB: with all slots in use, .8 GB at
 * most. An upload waiting for a slot is not read. As clients may take up to an hour, no organization gets a third of the slots.
 */
const SLOTS = { total: 20, perOrganization: 6, maxWaitMs: 60_000 };

/** Accepts uploads over HTTP. Small ones are processed while the client waits (200), large ones are stored and processed later (202). */
@Injectable()
export class UploadsService {
  /** Tests shorten it. */
  pace = UPLOAD_PACE;
  private readonly slots = new Slots('large uploads', SLOTS);

  constructor(
    private readonly clock: Clock,
    private readonly immediate: ImmediateUploads,
    private readonly deferred: DeferredUploads,
    private readonly idempotency: Idempotency,
    private readonly workspaces: WorkspaceScope,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws {Problem} 400 `invalid_data` with the report, 403, 404, 408, 413, 415; 429 or 503 for too many large uploads at once */
  async receive(upload: IncomingUpload): Promise<StoredReply | ReplayableReply> {
    const format = uploadFormat(upload.request);
    if (format !== 'csv' && upload.decimal !== undefined) {
      throw Problem.invalid([
        { param: 'decimal', message: 'is only allowed for CSV; JSON numbers always use a decimal point' },
      ]);
    }
    // a JSON body may name its workspace; every other upload is rejected before its body is read
    const isNamed = upload.workspaceId !== undefined || upload.caller.workspaceId !== null || format !== 'json';
    const tenant = isNamed ? await this.workspaces.resolveOne(upload.caller, upload.workspaceId) : undefined;
    const body = new UploadBody(upload.request, this.settings.MAX_UPLOAD_MB * MEGABYTE, this.pace);
    const accepted: AcceptedUpload = { ...upload, format, body, tenant };
    try {
      const isLarge = this.isLarge(accepted);
      const target = isLarge || upload.idempotency ? await this.targetAhead(accepted) : undefined;
      if (target) {
        const named = { ...accepted, tenant: target.tenant };
        const replayed = await this.replayed(named);
        if (replayed) return replayed;
        if (isLarge) return await this.deferred.store(named, target);
      }
      const store = () => this.immediate.store(accepted);
      const { organizationId } = upload.caller;
      return await (body.isSmall ? store() : this.slots.run({ organizationId }, store));
    } catch (error) {
      body.discard();
      if (error instanceof Replay) return error.reply;
      throw error;
    }
  }

  /** The reply to an earlier request with the same Idempotency-Key. The body is then read only to compare it. @throws {Problem} 422 */
  private async replayed(upload: AcceptedUpload): Promise<ReplayableReply | undefined> {
    return (
      upload.idempotency &&
      this.idempotency.replayed(upload.idempotency, async () => {
        for await (const _piece of upload.body);
        return digestOf(upload);
      })
    );
  }

  /**
   * Workspace and fill, of a JSON body from its members before `rows`; undefined if nothing so far names the workspace.
   * @throws {Problem} as {@link receive}
   */
  private async targetAhead(upload: AcceptedUpload): Promise<UploadTarget | undefined> {
    const isJson = upload.format === 'json';
    const members = isJson ? membersAhead(await upload.body.peek(), latestDay(this.clock.now())) : {};
    const { workspaceId, fillZero } = readMembers(members, upload);
    const isKnown = workspaceId === upload.workspaceId;
    const tenant = isKnown ? upload.tenant : await this.workspaces.resolveOne(upload.caller, workspaceId);
    return tenant && { tenant, fillZero };
  }

  private isLarge({ request, body }: AcceptedUpload): boolean {
    const preferred = /(^|[,\s])respond-async([,;\s]|$)/i.test(String(request.headers['prefer'] ?? ''));
    return preferred || body.announced > this.settings.ASYNC_UPLOAD_MB * MEGABYTE;
  }
}
