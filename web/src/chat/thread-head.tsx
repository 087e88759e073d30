import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

interface ThreadHeadProps {
  title: string;
  detail?: string;
  /** Whether a heading below says what the page is. */
  isBesideHeading?: boolean;
  showList: () => void;
}

export function ThreadHead({ title, detail, isBesideHeading = false, showList }: ThreadHeadProps) {
  const Title = isBesideHeading ? 'p' : 'h1';
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
        <Title className="thread-title cut" dir="auto" title={title}>
          {title}
        </Title>
        {detail !== undefined && <p className="soft small cut">{detail}</p>}
      </div>
    </header>
  );
}
