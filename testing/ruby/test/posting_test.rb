# frozen_string_literal: true

require 'json'
require 'minitest/autorun'
require 'socket'
require_relative '../lib/deadweight/testing'
require_relative 'programs'

# A server that takes one request and keeps it.
class OneRequest
  attr_reader :address

  def initialize(status)
    @server = TCPServer.new('127.0.0.1', 0)
    @address = "http://127.0.0.1:#{@server.addr[1]}"
    @thread = Thread.new do
      client = @server.accept
      line = client.gets
      length = 0
      while (header = client.gets) && header != "\r\n"
        length = Integer(header.split(':')[1]) if header.downcase.start_with?('content-length:')
      end
      body = client.read(length)
      client.write("HTTP/1.1 #{status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
      client.close
      [line, body]
    end
  end

  def arrived
    @thread.value
  end

  def none_arrived?
    @thread.alive?
  end

  def close
    @thread.kill
    @server.close
  end
end

class PostingTest < Minitest::Test
  # The share is of the time since the start, which is short here.
  ENOUGH = { max_pause: 60, max_cpu: 1000 }.freeze

  def with(status = '200 OK')
    server = OneRequest.new(status)
    yield server
  ensure
    server.close
  end

  def test_a_weighing_arrives_without_the_texts_of_the_program
    kept = Programs.wasteful(20_000)
    with do |server|
      said = Deadweight::Testing.post("#{server.address}/weighings?service=api", **ENOUGH)
      assert said.posted? && said.bytes > 1_000_000 && said.pause.positive?, said.inspect
      line, body = server.arrived
      assert_match(/service=api&host=.*captured_at=\d+/, line)
      findings = JSON.parse(body)['findings']
      assert(findings.any? { |found| found['rule'] == 'D01' && found['count'] > 19_000 }, body[0, 500])
      refute_includes body, kept[0].city
    end
  end

  def test_what_would_cost_more_than_it_may_is_not_done
    [[{ max_bytes: 1000 }, /more than 1000$/],
     [ENOUGH.merge(max_pause: 1e-6), /would stop the process for/],
     [ENOUGH.merge(max_cpu: 1e-9), /% of a processor, more than/]].each do |budget, why|
      with do |server|
        said = Deadweight::Testing.post(server.address, **budget)
        refute said.posted?
        assert_match why, said.why
        assert server.none_arrived?
      end
    end
  end

  def test_a_server_that_refuses_is_no_error_of_the_service
    with('403 Forbidden') do |server|
      said = Deadweight::Testing.post("#{server.address}/refused", **ENOUGH)
      refute said.posted?
      assert_match(/403/, said.why)
    end
  end

  def test_a_budget_that_is_none_is_an_error
    assert_raises(ArgumentError) { Deadweight::Testing.post('http://127.0.0.1:1', max_cpu: '1 %') }
    assert_raises(ArgumentError) { Deadweight::Testing.post('http://127.0.0.1:1', max_pause: 0) }
    assert_raises(ArgumentError) { Deadweight::Testing.post('') }
  end
end
