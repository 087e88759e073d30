import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

interface ThreadHeadProps {
  title: string;
  detail?: string;
  showList: () => void;
}

export function ThreadHead({ title, detail, showList }: ThreadHeadProps) {
  return (
    <header className="thread-head">
      <button
        type="button"
        className="icon-button list-button"
        aria-label={t('conversations.show')}
        onClick={showList}
      >
        <Icon name="menu" />
      </button>
      <div className="cut">
        <h2 className="cut">{title}</h2>
        {detail !== undefined && <p className="soft small cut">{detail}</p>}
      </div>
    </header>
  );
}
