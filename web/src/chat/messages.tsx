import { memo } from 'react';

import { t } from '../i18n/catalogue.js';
import { Answer } from './answer.js';
import type { ShownMessage } from './conversation-operations.js';
import { LiveAnswer } from './live-answer.js';
import { Question } from './question.js';
import { type Exchange, exchangesOf, hasEnded } from './turns.js';
import { Unanswered } from './unanswered.js';

interface MessagesProps {
  messages: readonly ShownMessage[];
  assistantName: string;
}

export function Messages({ messages, assistantName }: MessagesProps) {
  return (
    <ol className="messages plain" aria-label={t('chat.messages')}>
      {exchangesOf(messages).map(({ question, answer }) => (
        <ShownExchange
          key={question?.id ?? answer?.id}
          question={question}
          answer={answer}
          name={assistantName}
        />
      ))}
    </ol>
  );
}

/** Of thousands, only those are drawn again that have changed. */
const ShownExchange = memo(function ShownExchange({ question, answer, name }: Exchange & { name: string }) {
  return (
    <li className="exchange">
      {question && <Question message={question} />}
      {answer && <Answer message={answer} assistantName={name} />}
      {question?.turn && !answer && (
        <Waiting key={question.turn.id} question={question} turn={question.turn} name={name} />
      )}
    </li>
  );
});

interface WaitingProps {
  question: ShownMessage;
  turn: NonNullable<ShownMessage['turn']>;
  name: string;
}

function Waiting({ question, turn, name }: WaitingProps) {
  return hasEnded(turn) ? (
    <Unanswered question={question} turn={turn} />
  ) : (
    <LiveAnswer turnId={turn.id} assistantName={name} />
  );
}
