import { addTexts } from '../../../../i18n';
import { en } from './en';
import { zh } from './zh';

addTexts({ en, zh });
