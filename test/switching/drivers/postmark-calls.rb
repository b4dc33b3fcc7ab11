# Calls of stdin with Postmark's client for Ruby, as Rails uses it too; their results on stdout.
require 'json'
require 'mail'
require 'postmark'

def symbols(given)
  case given
  when Hash then given.to_h { |name, value| [name.to_sym, symbols(value)] }
  when Array then given.map { |each| symbols(each) }
  else given
  end
end

# As code for it writes them: `template_alias`, `text_body`.
def snake(messages)
  messages.map { |each| each.transform_keys { |name| Postmark::Inflector.to_ruby(name) } }
end

# As ActionMailer makes it.
def mail_of(given)
  message = Mail.new(charset: 'UTF-8')
  %i[from to cc bcc reply_to subject].each { |name| message[name] = given[name] if given[name] }
  message.headers(given[:headers])
  message.tag = given[:tag]
  message.metadata = given[:metadata]
  message.message_stream = given[:message_stream]
  message.track_opens = given[:track_opens]
  message.text_part = Mail::Part.new { body given[:text] }
  message.html_part = Mail::Part.new { content_type 'text/html; charset=UTF-8'; body given[:html] }
  name, content = given[:attachment]
  message.attachments[name] = content
  message
end

def perform(client, op, args)
  case op
  when 'mail' then client.deliver_message(mail_of(args[0]))
  when 'batch' then client.deliver_in_batches(snake(args[0]))
  when 'template' then client.deliver_with_template(snake(args).first)
  when 'templates' then client.deliver_in_batches_with_templates(snake(args[0]))
  when 'suppress' then client.create_suppressions('outbound', args)
  when 'unsuppress' then client.delete_suppressions('outbound', args)
  when 'suppressions' then client.dump_suppressions('outbound').to_a
  when 'messages' then client.get_messages(args[0])
  when 'message' then client.get_message(args[0])
  when 'bounces' then client.get_bounces
  when 'stats' then client.delivery_stats
  when 'server' then client.server_info
  when 'streams' then client.get_message_streams
  when 'validate' then client.validate_template(snake(args).first)
  when 'listed' then client.get_templates
  end
end

told = JSON.parse($stdin.read).map do |call|
  host, port = ENV.fetch('POSTMARK_HOST').split(':')
  client = Postmark::ApiClient.new(call['key'], host: host, port: port.to_i, secure: false)
  { ok: perform(client, call['op'], symbols(call['args'])) }
rescue Postmark::HttpServerError => e
  { error: { class: e.class.name.split('::').last, message: e.message, status: e.status_code,
             code: e.respond_to?(:error_code) ? e.error_code : nil,
             recipients: e.respond_to?(:recipients) ? e.recipients : nil } }
end
puts told.to_json
