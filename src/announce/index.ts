export { announce, noMailId, type Notice } from './announce.ts';
export {
  alertTypes,
  type AlertEventType,
  type NoticeType,
  noticeTypes,
  type PersonEventType,
} from './notice-types.ts';
