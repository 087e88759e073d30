import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { selectMessageMutation, type ShownMessage } from './conversation-operations.js';
import { useThreadActions } from './thread-actions.js';

/** ‹2/3›: the other versions of a question, or the other answers to it. */
export function VersionSwitch({ message }: { message: ShownMessage }) {
  return message.versions.length > 1 && <Versions message={message} />;
}

function Versions({ message: { id, versions } }: { message: ShownMessage }) {
  const { refresh } = useThreadActions();
  const [{ fetching }, select] = useMutation(selectMessageMutation);
  const index = versions.findIndex((version) => version.id === id);
  const show = (version: { id: string } | undefined): void => {
    if (version) void select({ id: version.id }).then(refresh);
  };
  const [before, after] = [versions[index - 1], versions[index + 1]];
  return (
    <span className="versions" role="group" aria-label={t('chat.versions')}>
      <button
        type="button"
        className="icon-button"
        aria-label={t('chat.versionBefore')}
        disabled={!before || fetching}
        onClick={() => show(before)}
      >
        <Icon name="back" />
      </button>
      <span className="small">
        {index + 1}/{versions.length}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t('chat.versionAfter')}
        disabled={!after || fetching}
        onClick={() => show(after)}
      >
        <Icon name="next" />
      </button>
    </span>
  );
}
