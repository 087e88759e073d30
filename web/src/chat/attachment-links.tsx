import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import type { ShownMessage } from './conversation-operations.js';

/** What was sent with a question. */
export function AttachmentLinks({ parts }: Pick<ShownMessage, 'parts'>) {
  const attached = parts.flatMap((part) => ('attachment' in part ? part.attachment : []));
  if (attached.length === 0) return null;
  return (
    <ul className="plain chips" aria-label={t('attachments.list')}>
      {attached.map(({ id, kind, name, url, error }) => (
        <li key={id}>
          <a className="chip" href={url ?? undefined} target="_blank" rel="noreferrer" title={error ?? name}>
            {kind === 'IMAGE' && isOwn(url) ? (
              <img className="thumbnail" src={url} alt="" />
            ) : (
              <Icon name={error === null ? 'documents' : 'alert'} />
            )}
            <span className="cut">{name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The page loads images of its own server alone: those in another store are opened by their link. */
function isOwn(url: string | null): url is string {
  return url !== null && new URL(url, location.href).origin === location.origin;
}
