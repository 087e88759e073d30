import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

/** Until nothing more is typed. */
const PAUSE_MS = 250;

/** Finds conversations by their titles. What is sought stands in the address. */
export function ConversationSearch() {
  const { find = '' } = useSearch({ from: '/chat' });
  const navigate = useNavigate();
  const [text, setText] = useState(find);
  useEffect(() => {
    if (text === find) return undefined;
    const timer = setTimeout(() => {
      const sought = text.trim() === '' ? {} : { find: text };
      void navigate({
        to: '.',
        replace: true,
        search: ({ archived }) => ({ ...(archived && { archived }), ...sought }),
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, find, navigate]);
  return (
    <label className="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={t('conversations.search')}
        placeholder={t('conversations.search')}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
