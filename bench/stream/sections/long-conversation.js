import { percentile } from '../measure.js';
import { question } from '../question.js';

/** Whether a turn takes longer because of what has been said before. */
export const longConversation = {
  name: 'long-conversation',
  title: 'A turn in a long conversation',
  systems: ['postgresql'],
  metrics: {
    messages: { title: 'messages before it', unit: '', digits: 0 },
    emptyStart: { title: 'startTurn in a new conversation p50', unit: 'ms', digits: 2 },
    longStart: { title: 'startTurn in the long one p50', unit: 'ms', digits: 2 },
    startRatio: { title: 'long against new', unit: '×', digits: 2, must: 1.1, aim: 1.1, isAbsolute: true },
    emptyFirstText: { title: 'first text in a new conversation p50', unit: 'ms', digits: 2 },
    longFirstText: { title: 'first text in the long one p50', unit: 'ms', digits: 2 },
    firstTextRatio: { title: 'long against new', unit: '×', digits: 2 },
  },

  /** One turn as the API makes it, copied until there are enough; gives the conversation. */
  async prepare({ newUser, database }, { isQuick }) {
    const user = newUser();
    const { turnId } = await user.turn(asked());
    await user.close();
    const turns = isQuick ? 5_000 : 50_000;
    return database.connected((client) => multiply(client, turnId, turns));
  },

  async measure(system, { isQuick, prepared: conversation }) {
    const user = system.newUser();
    const empty = [];
    const long = [];
    const turns = isQuick ? 40 : 60;
    for (let turn = -20; turn < turns; turn += 1) {
      const [inNew, inLong] = [
        await user.turn(asked()),
        await user.turn(asked(), { conversationId: conversation.id }),
      ];
      if (turn < 0) continue;
      empty.push(inNew);
      long.push(inLong);
    }
    await user.close();
    const middle = (all, figure) =>
      percentile(
        all.map((each) => each[figure]),
        0.5,
      );
    const figures = {
      emptyStart: middle(empty, 'startMs'),
      longStart: middle(long, 'startMs'),
      emptyFirstText: middle(empty, 'firstTextMs'),
      longFirstText: middle(long, 'firstTextMs'),
    };
    return {
      messages: conversation.messages,
      ...figures,
      startRatio: figures.longStart / figures.emptyStart,
      firstTextRatio: figures.longFirstText / figures.emptyFirstText,
    };
  },
};

function asked() {
  return question({ tokens: 20, tokensPerSecond: 2000 });
}

/** An id of version 7, by time, `n` seconds before the template's. */
function ID_BEFORE(id) {
  return `
  (lpad(to_hex(extract(epoch FROM template.created_at)::bigint * 1000 - n * 1000), 12, '0') ||
   '7' || substr(md5(n::text || '${id}'), 1, 3) || '8' || substr(md5('${id}' || n::text), 1, 15))::uuid`;
}

const COPIES = `
  WITH copy AS (
    SELECT n, template.created_at - n * interval '1 second' AS at,
      ${ID_BEFORE('turn')} AS turn_id, ${ID_BEFORE('question')} AS asked_id, ${ID_BEFORE('answer')} AS answered_id
    FROM turn AS template, generate_series(1, $2::int) AS n WHERE template.id = $1),
  turns AS (
    INSERT INTO turn SELECT made.* FROM copy, turn AS template,
      jsonb_populate_record(template, jsonb_build_object('id', copy.turn_id, 'question_id', copy.asked_id,
        'answer_id', copy.answered_id, 'created_at', copy.at)) AS made
    WHERE template.id = $1)
  INSERT INTO message SELECT made.* FROM copy, message AS template,
    jsonb_populate_record(template, jsonb_build_object('turn_id', copy.turn_id, 'created_at', copy.at,
      'id', CASE template.role WHEN 'USER' THEN copy.asked_id ELSE copy.answered_id END)) AS made
  WHERE template.turn_id = $1`;

/** Gives the turn's conversation as many more that came before it, whatever columns their rows have. */
async function multiply(client, turnId, turns) {
  await client.query(COPIES, [turnId, turns]);
  await client.query('ANALYZE message, turn');
  const { rows } = await client.query(
    `SELECT conversation_id, count(*)::int AS messages FROM message
     WHERE conversation_id = (SELECT conversation_id FROM turn WHERE id = $1) GROUP BY 1`,
    [turnId],
  );
  const [{ conversation_id: id, messages }] = rows;
  return { id, messages };
}
