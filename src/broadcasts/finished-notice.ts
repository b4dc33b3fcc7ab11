import type { Notice } from '../announce/index.ts';
import { leftOutOf, type BroadcastRow } from './broadcasts.ts';

type Finished = Pick<
  BroadcastRow,
  'id' | 'instance_id' | 'name' | 'state' | 'recipient_count' | 'accepted_count' | 'left_out' | 'group_code'
>;

/** What webhooks are told: `broadcast.finished`. */
export function finishedNotice(broadcast: Finished): Notice {
  const { id, instance_id, name, state, recipient_count, accepted_count, left_out, group_code } = broadcast;
  return {
    instance_id,
    type: 'broadcast.finished',
    data: {
      broadcast_id: id,
      name,
      state,
      recipients: recipient_count ?? 0,
      accepted: accepted_count,
      left_out: leftOutOf(left_out),
      custom_group_code: group_code,
    },
  };
}
