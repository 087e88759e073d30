import { useState } from 'react';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { submits } from '../parts/form.js';
import { Failure, Loading } from '../parts/states.js';
import { memoryContextQuery } from './memory-operations.js';

/** Tries out what an assistant would be told with a question, and how much of the room that takes. */
export function WhatWouldBeTold() {
  const [wanted, setWanted] = useState('');
  const [message, setMessage] = useState('');
  return (
    <section className="card told" aria-label={t('memory.told')}>
      <h2>{t('memory.told')}</h2>
      <form className="search-line" onSubmit={submits(() => setMessage(wanted.trim()))}>
        <input
          aria-label={t('memory.question')}
          placeholder={t('memory.question')}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
        <button type="submit" className="button" disabled={wanted.trim() === ''}>
          {t('memory.show')}
        </button>
      </form>
      {message !== '' && <Told message={message} />}
    </section>
  );
}

function Told({ message }: { message: string }) {
  const [{ data, error }] = useQuery({
    query: memoryContextQuery,
    variables: { message },
    requestPolicy: 'network-only',
  });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { tokens, budget, omitted, items } = data.memoryContext;
  const used = t('memory.budget', { tokens, budget });
  return (
    <>
      <p className="soft small">{used}</p>
      <meter value={tokens} max={budget} aria-label={used} />
      {items.length === 0 && <p className="soft">{t('memory.toldNothing')}</p>}
      <ul className="plain told-items">
        {items.map(({ section, text }, index) => (
          <li key={index}>
            <span className="tag">{t(`memory.${section}`)}</span> {text.replace(/^- /, '')}
          </li>
        ))}
      </ul>
      {omitted > 0 && <p className="soft small">{t('memory.omitted', { count: omitted })}</p>}
    </>
  );
}
