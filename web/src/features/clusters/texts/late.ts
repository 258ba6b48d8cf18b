import { addTexts } from '../../../i18n';
import { en } from './late.en';
import { zh } from './late.zh';

addTexts({ en, zh });
