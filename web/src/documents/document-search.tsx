import { useState } from 'react';
import { useQuery } from 'urql';

import { marked } from '../chat/marked-words.js';
import { t } from '../i18n/catalogue.js';
import { submits } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure, Loading } from '../parts/states.js';
import { searchDocumentsQuery } from './documents-operations.js';

/** What an assistant would find for these words. */
export function DocumentSearch() {
  const [wanted, setWanted] = useState('');
  const [query, setQuery] = useState('');
  return (
    <search>
      <form className="search-line" onSubmit={submits(() => setQuery(wanted.trim()))}>
        <input
          type="search"
          aria-label={t('documents.search')}
          placeholder={t('documents.search')}
          value={wanted}
          onChange={({ target }) => {
            setWanted(target.value);
            if (target.value === '') setQuery('');
          }}
        />
        <button type="submit" className="button">
          <Icon name="search" />
          {t('documents.find')}
        </button>
      </form>
      {query !== '' && <Found query={query} />}
    </search>
  );
}

/** Passages are Markdown, and shown as plain text. */
const HEADING_MARKS = /^#+ /gm;

function Found({ query }: { query: string }) {
  const [{ data, error, fetching }] = useQuery({ query: searchDocumentsQuery, variables: { query } });
  if (error) return <Failure error={error} />;
  if (!data || fetching) return <Loading />;
  if (data.searchDocuments.length === 0) return <p className="soft found">{t('documents.nothingFound')}</p>;
  return (
    <ol className="plain found" aria-label={t('documents.found')}>
      {data.searchDocuments.map(({ id, page, text, missing, document }) => (
        <li key={id} className="card">
          <p>
            <strong>{document.name}</strong>{' '}
            {page !== null && <span className="soft small">{t('sources.page', { page })}</span>}
          </p>
          <blockquote>
            {marked(text.replaceAll(HEADING_MARKS, ''), query).map((stretch, index) =>
              stretch.isMarked ? <mark key={index}>{stretch.text}</mark> : stretch.text,
            )}
          </blockquote>
          {missing.length > 0 && (
            <p className="soft small">{t('documents.notInIt', { words: missing.join(', ') })}</p>
          )}
        </li>
      ))}
    </ol>
  );
}
