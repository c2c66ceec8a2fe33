import { Injectable } from '@nestjs/common';
import { recordAuditByOperator, type UserCaller } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { listPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import type { BlockDto, ListBlocksDto } from '../dto/inputs.dto.js';
import type { BlockBody } from '../dto/replies.dto.js';
import { serializeAuthor } from '../posts/posting-limits.queries.js';
import { recountReplies } from '../posts/topics.queries.js';
import {
  BLOCK_ORDER,
  findBlock,
  findUser,
  hideTextsOf,
  listBlocks,
  lockTopicsOf,
  removeBlock,
  setBlock,
} from './blocks.queries.js';
import { flagTopics } from './moderation.queries.js';

/** Keeps users from posting in the forum. It does not affect their accounts otherwise. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Latest first. */
  list(query: ListBlocksDto): Promise<Page<BlockBody>> {
    return listPage(query, BLOCK_ORDER, (slice) => listBlocks(this.database, slice));
  }

  /**
   * Also for a user who is already blocked: replaces the reason and, if requested, hides what is still visible.
   * @throws {Problem} 404; 409 `operator_not_blocked`
   */
  block(operator: UserCaller, userId: string, { reason, hide_texts }: BlockDto): Promise<BlockBody> {
    return this.database.transaction(async (tx) => {
      const id = await requireBlockable(tx, userId);
      // a post that the user is writing right now is either stored first, and hidden, or refused afterwards
      await serializeAuthor(tx, id);
      const now = this.clock.now();
      const before = await findBlock(tx, id);
      await setBlock(tx, id, reason, now);
      const hidden = hide_texts === true ? await hideAll(tx, id, now) : 0;
      if (before?.reason !== reason || hidden > 0) {
        await recordAuditByOperator(tx, operator, {
          action: 'community_author.blocked',
          target: { kind: 'user', id },
          details: { reason, texts_hidden: hidden },
          now,
        });
      }
      return requireBlock(tx, id);
    });
  }

  /** @throws {Problem} 404 if the user is not blocked */
  async unblock(operator: UserCaller, userId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { id } = await requireBlock(tx, userId);
      await serializeAuthor(tx, id);
      if (!(await removeBlock(tx, id))) throw Problem.notFound('block');
      await recordAuditByOperator(tx, operator, {
        action: 'community_author.unblocked',
        target: { kind: 'user', id },
        details: {},
        now: this.clock.now(),
      });
    });
  }
}

function requireBlock(tx: Transaction, userId: string): Promise<BlockBody> {
  return requireById('block', userId, (id) => findBlock(tx, id));
}

/** @returns the user's id */
async function requireBlockable(tx: Transaction, userId: string): Promise<string> {
  const user = await requireById('user', userId, (id) => findUser(tx, id));
  if (user.isOperator) {
    throw new Problem(
      409,
      'operator_not_blocked',
      'The user is an operator. Operators cannot be blocked from posting in the forum.',
    );
  }
  return user.id;
}

/** @returns the number of texts hidden */
async function hideAll(tx: Transaction, authorId: string, now: Date): Promise<number> {
  await lockTopicsOf(tx, authorId);
  const hidden = await hideTextsOf(tx, authorId, now);
  const topicIds = [...new Set(hidden)];
  await recountReplies(tx, topicIds);
  await flagTopics(tx, topicIds, now);
  return hidden.length;
}
