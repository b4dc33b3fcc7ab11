import { audited } from '../audit/index.ts';
import type { ErrorCode } from '../base/errors/catalogue.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { cancelledExample, draftExample, pausedExample, sendingExample } from './broadcast-examples.ts';
import { type BroadcastsContext, params, path, tag, write } from './broadcast-routes.ts';
import { Broadcast } from './broadcast-schemas.ts';
import { requireRealMail } from './sandbox-keys.ts';
import { cancelBroadcast, pauseBroadcast, resumeBroadcast, sendBroadcast } from './run-state.ts';

interface Verb {
  name: 'send' | 'pause' | 'resume' | 'cancel';
  summary: string;
  description: string;
  change: typeof sendBroadcast;
  example: object;
  errors: ErrorCode[];
}

const verbs: Verb[] = [
  {
    name: 'send',
    summary: 'Send a broadcast',
    description:
      'Starts a draft at `schedule_at`, or at once. Its recipients are everyone who is in the audience at that moment. The consent of each is looked up again when their mail is accepted and before every attempt to deliver it.',
    change: sendBroadcast,
    example: { ...draftExample, state: 'scheduled' },
    errors: ['template_not_public', 'domain_sender_not_verified'],
  },
  {
    name: 'pause',
    summary: 'Pause a broadcast',
    description:
      'No more mails are handed over. Those that were, at most some thousands, still go out; `cancel` stops these too.',
    change: pauseBroadcast,
    example: pausedExample,
    errors: [],
  },
  {
    name: 'resume',
    summary: 'Resume a broadcast',
    description: 'A paused broadcast goes on where it stopped: nobody is written to twice.',
    change: resumeBroadcast,
    example: sendingExample,
    errors: [],
  },
  {
    name: 'cancel',
    summary: 'Cancel a broadcast',
    description:
      'Ends it permanently. Nothing more is handed over, and mails that were handed over but never attempted are dropped with the reason `cancelled`.',
    change: cancelBroadcast,
    example: cancelledExample,
    errors: [],
  },
];

/** What a broadcast is told to do. */
export function runRoutes({ db, clock }: BroadcastsContext): Operation[] {
  return verbs.map(({ name, summary, description, change, example, errors }) =>
    operation({
      id: `${name}_broadcast`,
      method: 'POST',
      path: `${path}/${name}`,
      tag,
      summary,
      description,
      access: write,
      params,
      success: { status: 200, description: 'The broadcast.', schema: Broadcast, example },
      errors: ['broadcast_not_found', 'broadcast_state_conflict', 'sandbox_relay_restricted', ...errors],
      handle: async (call) => {
        await requireRealMail(db, call.caller, call.params.id);
        return await audited(db, change)(call, { id: call.params.id, now: clock.now() });
      },
    }),
  );
}
