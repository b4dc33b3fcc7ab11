# Sends a mail and prints what became of it. Ruby 2.7 or newer, no gem.
require "json"
require "net/http"
require "uri"

BASE_URL = ENV.fetch("CHASQUI_URL", "http://localhost:8080")

# What the service refused: switch on `code`.
class Problem < StandardError
  attr_reader :code, :errors

  def initialize(document)
    super(document["detail"])
    @code = document["code"]
    @errors = document.fetch("errors", [])
  end
end

def call(method, path, body: nil, query: nil)
  uri = URI(BASE_URL + path)
  uri.query = URI.encode_www_form(query) if query
  request = Net::HTTP.const_get(method.capitalize).new(uri)
  request["Authorization"] = "Bearer #{ENV.fetch("CHASQUI_API_KEY")}"
  request["Content-Type"] = "application/json"
  request.body = JSON.generate(body) if body
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 30) do |http|
    http.request(request)
  end
  document = JSON.parse(response.body)
  raise Problem, document unless response.is_a?(Net::HTTPSuccess)

  document
end

def main
  sent = call("POST", "/v1/mails/send", body: {
    sender_email: "test@demo.sandbox.test",
    to: [{ email: "delivered@sandbox.test", name: "Ana" }],
    subject: "Hello from Ruby",
    html: "<p>It works.</p>",
  })
  puts sent["message_id"]

  call("GET", "/v1/mails", query: { msg_id: sent["message_id"] })["data"].each do |mail|
    puts "#{mail["mail_id"]} #{mail["to"]}"
  end

  call("POST", "/v1/mails/send", body: { sender_email: "test@demo.sandbox.test", to: [], subject: "Hello" })
rescue Problem => problem
  puts "#{problem.code} #{problem.errors.map { |error| error["pointer"] }}"
end

# Another program may require `call`.
main if $PROGRAM_NAME == __FILE__
