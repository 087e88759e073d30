import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import type { ShownTurn } from './conversation-operations.js';

/** What skills have made in a turn, to be saved. */
export function FileLinks({ files }: { files: ShownTurn['files'] }) {
  if (files.length === 0) return null;
  return (
    <ul className="plain chips" aria-label={t('chat.files')}>
      {files.map(({ id, name, url }) => (
        <li key={id}>
          <a className="chip" href={url} download={name}>
            <Icon name="documents" />
            <span className="cut">{name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
