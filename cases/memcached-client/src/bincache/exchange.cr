require "socket"
require "./errors"
require "./head"

module Bincache
  # What both clients do alike with their connection: one exchange of questions and answers at a time.
  module Exchange
    # Bytes of questions that are sent before answers are read. With more of them, both sides could wait for each other
    # with full buffers; so much fits into the buffers of sockets.
    QUESTIONS = 64 * 1024

    @socket : TCPSocket?
    @opaque = 0_u32
    @turn = Mutex.new

    def close : Nil
      @socket.try(&.close)
    rescue IO::Error
      # What was not sent yet could not be sent; the socket is closed all the same.
    ensure
      @socket = nil
    end

    # Other fibers that use this client wait until it is their turn.
    private def turn(&)
      @turn.synchronize { yield }
    end

    # Yields the connection, from before a question to after its last answer. Whoever leaves the block by an exception, of
    # whatever kind, leaves answers behind that nobody has read: the connection is closed, so that the next question does
    # not take them for its own.
    private def exchange(&)
      in_step = false
      begin
        socket = @socket ||= open
        answer = yield socket
        in_step = true
        answer
      rescue error : IO::TimeoutError
        raise TimeoutError.new("no answer from #{@host}:#{@port} within #{@timeout.total_seconds} s", cause: error)
      rescue error : IO::Error
        raise ConnectionError.new("#{@host}:#{@port}: #{error.message}", cause: error)
      ensure
        close unless in_step
      end
    end

    # A mark for the next question; its answer carries the same.
    private def next_opaque : UInt32
      @opaque &+= 1
    end

    private def check(key : String) : Nil
      raise KeyError.new("the key is empty") if key.empty?
      if key.bytesize > LONGEST_KEY
        raise KeyError.new("the key has #{key.bytesize} bytes; the protocol allows #{LONGEST_KEY}")
      end
    end

    # How many keys from `first` on are asked for before answers are read.
    private def window(keys : Array(String), first : Int32) : Int32
      bytes = 0
      last = first
      while last < keys.size && bytes < QUESTIONS
        bytes += Head::SIZE + keys[last].bytesize
        last += 1
      end
      last - first
    end

    # Which of `count` quiet questions this answers, the first of which had the mark `first`; `count` for the `Noop` behind
    # them. Answers come in the order of the questions: none before `from` is due. A server that takes the mark of another
    # question is found out by the key.
    private def place(head : Head, first : UInt32, count : Int32, from : Int32) : Int32
      place = head.opaque &- first
      if place > count || place < from
        raise ProtocolError.new("asked as #{first} and #{count} more, and #{head.opaque} was answered")
      end
      head.check((place == count ? Opcode::Noop : Opcode::GetKQ).value, head.opaque)
      place.to_i
    end

    private def connect(socket : TCPSocket) : TCPSocket
      socket.tcp_nodelay = true
      socket.sync = false
      socket.read_timeout = @timeout
      socket.write_timeout = @timeout
      socket
    end
  end
end
