import type { Dice } from '../dice.js';
import type { Model, Topic } from '../model.js';
import { type Cast, idIn, type Maker, NOT_FOUND, type Refusal, refused, same, succeeded } from '../operation.js';
import type { Caller, Item } from '../world.js';

const OPERATOR = 'operator';

/** The forum is everybody's: names of authors of all tenants are seen there. */
function pickAuthor(dice: Dice, { users, operator }: Cast): { readonly id: string; readonly caller: Caller } {
  const author = dice.once(6) ? { id: OPERATOR, caller: operator } : dice.pick(users.slice(0, 3));
  return { id: author.id, caller: { ...author.caller, blindTo: [] } };
}

const pickTopic = (model: Model, dice: Dice): string =>
  (dice.once(12) ? dice.pickOf(model.gone.topic) : dice.pickOf(model.topics.slice(-3))?.id) ?? 'nonsense';

/** Hidden topics are there for operators only. */
const topicFor = (model: Model, id: string, userId: string): Topic | undefined =>
  model.topics.find((topic) => topic.id === id && (!topic.hidden || userId === OPERATOR));

function authorRefusal(
  topic: Topic | undefined,
  text: { readonly authorId: string } | undefined,
  userId: string,
): Refusal | undefined {
  if (!topic || !text) return NOT_FOUND;
  if (text.authorId !== userId) return [403, 'not_the_author'];
  return topic.locked ? [409, 'topic_locked'] : undefined;
}

export const writeTopic: Maker = (_model, dice, cast) => {
  const author = pickAuthor(dice, cast);
  const body = `text ${dice.below(100)}`;
  return {
    caller: author.caller,
    method: 'POST',
    path: '/community/topics',
    body: { category: 'ideas', title: 'A topic', body },
    judge: (now, reply) => {
      succeeded(reply, 201);
      now.topics.push({ id: idIn(reply), authorId: author.id, body, locked: false, hidden: false, replies: [] });
    },
  };
};

export const readTopic: Maker = (model, dice, cast) => {
  const reader = pickAuthor(dice, cast);
  const id = pickTopic(model, dice);
  return {
    caller: reader.caller,
    method: 'GET',
    path: `/community/topics/${id}`,
    judge: (now, reply) => {
      const topic = topicFor(now, id, reader.id);
      if (!topic) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      sameTopic(reply.body, topic);
    },
  };
};

export const editTopic: Maker = (model, dice, cast) => {
  const author = pickAuthor(dice, cast);
  const id = pickTopic(model, dice);
  const body = `edited ${dice.below(100)}`;
  return {
    caller: author.caller,
    method: 'PATCH',
    path: `/community/topics/${id}`,
    body: { body },
    judge: (now, reply) => {
      const topic = topicFor(now, id, author.id);
      if (refused(reply, authorRefusal(topic, topic, author.id)) || !topic) return;
      succeeded(reply, 200);
      topic.body = body;
    },
  };
};

export const removeTopic: Maker = (model, dice, cast) => {
  const author = pickAuthor(dice, cast);
  const id = pickTopic(model, dice);
  return {
    caller: author.caller,
    method: 'DELETE',
    path: `/community/topics/${id}`,
    judge: (now, reply) => {
      const topic = topicFor(now, id, author.id);
      if (refused(reply, authorRefusal(topic, topic, author.id)) || !topic) return;
      const isAnswered = topic.replies.some(({ authorId }) => authorId !== author.id);
      if (isAnswered) return void refused(reply, [409, 'topic_has_replies']);
      succeeded(reply, 204);
      now.topics = now.topics.filter((other) => other !== topic);
      now.gone.topic.push(id);
    },
  };
};

export const addReply: Maker = (model, dice, cast) => {
  const author = pickAuthor(dice, cast);
  const id = pickTopic(model, dice);
  const body = `reply ${dice.below(100)}`;
  return {
    caller: author.caller,
    method: 'POST',
    path: `/community/topics/${id}/replies`,
    body: { body },
    judge: (now, reply) => {
      const topic = topicFor(now, id, author.id);
      if (!topic) return void refused(reply, NOT_FOUND);
      if (topic.locked) return void refused(reply, [409, 'topic_locked']);
      succeeded(reply, 201);
      topic.replies.push({ id: idIn(reply), authorId: author.id, body });
    },
  };
};

export const removeReply: Maker = (model, dice, cast) => {
  const author = pickAuthor(dice, cast);
  const id = pickTopic(model, dice);
  const known = model.topics.find((topic) => topic.id === id)?.replies ?? [];
  const replyId = dice.pickOf(known)?.id ?? 'nonsense';
  return {
    caller: author.caller,
    method: 'DELETE',
    path: `/community/topics/${id}/replies/${replyId}`,
    judge: (now, reply) => {
      const topic = topicFor(now, id, author.id);
      const written = topic?.replies.find((candidate) => candidate.id === replyId);
      if (refused(reply, authorRefusal(topic, written, author.id)) || !topic) return;
      succeeded(reply, 204);
      topic.replies = topic.replies.filter((other) => other !== written);
    },
  };
};

export const moderateTopic: Maker = (model, dice, cast) => {
  const id = pickTopic(model, dice);
  const flag = dice.pick(['locked', 'hidden'] as const);
  const value = dice.once(2);
  return {
    caller: { ...cast.operator, blindTo: [] },
    method: 'PATCH',
    path: `/admin/community/topics/${id}`,
    body: { [flag]: value },
    judge: (now, reply) => {
      const topic = topicFor(now, id, OPERATOR);
      if (!topic) return void refused(reply, NOT_FOUND);
      succeeded(reply, 200);
      topic[flag] = value;
      same(reply.body[flag], value, flag);
    },
  };
};

function sameTopic(returned: Item, topic: Topic): void {
  const { body, locked, hidden, reply_count: count } = returned;
  const expected = [topic.body, topic.locked, topic.hidden, topic.replies.length];
  same([body, locked, hidden, count], expected, 'topic');
  const replies = returned['replies'] as readonly Item[];
  same(
    replies.map((reply) => [reply['id'], reply['body']]).sort(),
    topic.replies.map(({ id, body: text }) => [id, text]).sort(),
    'replies',
  );
}
